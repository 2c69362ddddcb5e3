/// @file
/// What a page is made of: the files beside this one, built into the program; tutti_embed in cmake/Embed.cmake defines
/// them.
#pragma once

#include <string_view>

namespace tutti::draw::page {

// Text with places such as {{title}}.
extern const std::string_view page_html;      ///< the whole page
extern const std::string_view steps_html;     ///< its part for steps
extern const std::string_view timeline_html;  ///< its part for a timeline

extern const std::string_view page_css;

// One script, in this order.
extern const std::string_view dom_js;
extern const std::string_view geometry_js;
extern const std::string_view stage_js;
extern const std::string_view details_js;
extern const std::string_view timeline_js;
extern const std::string_view player_js;

}  // namespace tutti::draw::page
