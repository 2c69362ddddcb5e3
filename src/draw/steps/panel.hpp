/// @file
/// One panel of a picture of steps: its title, its arrows, and the messages that are listed below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/scene/scene.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

struct Panel {
  std::string title;
  const Frame* frame = nullptr;  ///< none: what ranks hold before
  std::optional<Unit> sizes;     ///< unit of messages' sizes, if they are shown
  Scene scene;                   ///< the picture's, with what ranks hold in this panel
  DrawnStep drawn;
  std::vector<std::string> held;    ///< contents of ranks that have no room beside them, a line a rank
  std::vector<std::string> listed;  ///< messages without their content beside them; in the end `held`, too
  std::size_t list_rows = 0;
};

/// "Step 2: 4 messages of 2 elements", and the phase in parentheses, if it has one.
std::string title_of(int step, const Frame& frame, Unit unit);

/// Whether messages of the step differ in size.
bool sizes_differ(const Frame& frame);

/// The panel's messages whose content is not beside them, each in words.
std::vector<std::string> unnamed_in(const Panel& panel);

/// Draws a broken frame about the rank that goes wrong, and about what stands beside it.
void draw_wrong_place(Svg& svg, const WrongPlace& wrong, const Scene& scene);

/// Makes a long list short: messages of a sender share a line.
void shorten_list(Panel& panel);

/// Returns how many of `panels` panels of that size stand side by side, below a head that is `head` high, so that the
/// picture is no wider than a screen, if one panel is not, has about its shape, and little of it is empty.
std::size_t columns_for(std::size_t panels, const PixelSize& size, double head);

}  // namespace tutti::draw
