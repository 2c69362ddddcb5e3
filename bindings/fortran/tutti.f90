!> tutti in Fortran: the functions of tutti.h, and short forms for arrays of numbers.
!!
!!     use tutti
!!     type(c_ptr) :: world
!!     if (tutti_world(world) /= TUTTI_OK) error stop
!!     if (tutti_all_reduce(world, a, TUTTI_SUM) /= TUTTI_OK) print *, tutti_error_text()
!!
!! Each function returns a status. Meaning, errors and cost are those of tutti.h. Communicators, handles and plans are
!! type(c_ptr). The short forms take real(4), real(8), integer(4) and integer(8), scalars and arrays of any rank; an
!! array that is not contiguous is copied. All other collectives are tutti_call(), tutti_start() or tutti_plan_create()
!! with tutti_arguments_of(), whose buffers are the c_loc() of contiguous targets.
!! One file, so that a program compiles it beside its own.
module tutti
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: c_ptr, c_null_ptr, c_loc, c_funptr, c_null_funptr, c_funloc, c_int32_t, c_int64_t, c_size_t

  integer(c_int32_t), parameter, public :: TUTTI_MODULE_VERSION = 1

  ! Statuses.
  integer(c_int32_t), parameter, public :: TUTTI_OK = 0, TUTTI_INVALID_ARGUMENT = 1, TUTTI_UNSUPPORTED = 2, &
    TUTTI_MISMATCH = 3, TUTTI_TIMEOUT = 4, TUTTI_PEER_FAILED = 5, TUTTI_INTERNAL = 6, TUTTI_OUT_OF_MEMORY = 7, &
    TUTTI_CALLBACK_FAILED = 8

  ! Element types. Elements of n bytes have the type -n.
  integer(c_int32_t), parameter, public :: TUTTI_BOOL = 1, TUTTI_INT8 = 2, TUTTI_INT16 = 3, TUTTI_INT32 = 4, &
    TUTTI_INT64 = 5, TUTTI_UINT8 = 6, TUTTI_UINT16 = 7, TUTTI_UINT32 = 8, TUTTI_UINT64 = 9, TUTTI_FLOAT16 = 10, &
    TUTTI_BFLOAT16 = 11, TUTTI_FLOAT = 12, TUTTI_DOUBLE = 13, TUTTI_COMPLEX_FLOAT = 14, TUTTI_COMPLEX_DOUBLE = 15

  ! Operators.
  integer(c_int32_t), parameter, public :: TUTTI_SUM = 1, TUTTI_PRODUCT = 2, TUTTI_MINIMUM = 3, TUTTI_MAXIMUM = 4, &
    TUTTI_LOGICAL_AND = 5, TUTTI_LOGICAL_OR = 6, TUTTI_LOGICAL_XOR = 7, TUTTI_BITWISE_AND = 8, TUTTI_BITWISE_OR = 9, &
    TUTTI_BITWISE_XOR = 10, TUTTI_AVERAGE = 11, TUTTI_USER = 100

  ! Collectives. Fortran does not tell TUTTI_BARRIER from tutti_barrier.
  integer(c_int32_t), parameter, public :: TUTTI_COLLECTIVE_BROADCAST = 1, TUTTI_COLLECTIVE_REDUCE = 2, &
    TUTTI_COLLECTIVE_ALL_REDUCE = 3, TUTTI_COLLECTIVE_SCAN = 4, TUTTI_COLLECTIVE_EXCLUSIVE_SCAN = 5, &
    TUTTI_COLLECTIVE_SCATTER = 6, TUTTI_COLLECTIVE_GATHER = 7, TUTTI_COLLECTIVE_ALL_GATHER = 8, &
    TUTTI_COLLECTIVE_REDUCE_SCATTER = 9, TUTTI_COLLECTIVE_ALL_TO_ALL = 10, TUTTI_COLLECTIVE_SHIFT = 11, &
    TUTTI_COLLECTIVE_BARRIER = 12

  ! Lengths of blocks.
  integer(c_int32_t), parameter, public :: TUTTI_EQUAL_BLOCKS = 0, TUTTI_BY_COUNTS = 1, TUTTI_BY_COUNTS_AT_ROOT = 2

  integer(c_int32_t), parameter, public :: TUTTI_ANY_RANK = -1, TUTTI_ANY_TAG = -1

  !> Arguments of a collective, as tutti.h describes them. tutti_arguments_of() fills them.
  type, bind(C), public :: tutti_call_arguments
    integer(c_size_t) :: size = 0
    integer(c_int32_t) :: collective = 0
    integer(c_int32_t) :: element_type = 0
    type(c_ptr) :: input = c_null_ptr
    type(c_ptr) :: output = c_null_ptr
    integer(c_int64_t) :: count = 0
    integer(c_int32_t) :: op = 0
    integer(c_int32_t) :: root = 0
    integer(c_int32_t) :: distance = 0
    integer(c_int32_t) :: blocks = 0
    type(c_ptr) :: counts = c_null_ptr
    type(c_ptr) :: displacements = c_null_ptr
    type(c_ptr) :: receive_counts = c_null_ptr
    type(c_ptr) :: receive_displacements = c_null_ptr
    type(c_ptr) :: user_operator = c_null_ptr
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int32_t) :: segments = 0
    integer(c_int32_t) :: radix = 0
    integer(c_int32_t) :: rows = 0
    integer(c_int32_t) :: columns = 0
  end type tutti_call_arguments

  !> Operator of the program's: the c_funloc() of a bind(C) subroutine (result, left, right, count, state).
  type, bind(C), public :: tutti_user_operator
    type(c_funptr) :: combine = c_null_funptr
    type(c_ptr) :: state = c_null_ptr
    integer(c_int32_t) :: commutative = 0
    type(c_ptr) :: name = c_null_ptr
  end type tutti_user_operator

  !> Sender, tag and number of elements of a message.
  type, bind(C), public :: tutti_envelope
    integer(c_int32_t) :: rank = 0
    integer(c_int32_t) :: tag = 0
    integer(c_int64_t) :: count = 0
  end type tutti_envelope

  public :: tutti_api_version, tutti_error_text
  public :: tutti_world, tutti_finalize, tutti_join, tutti_abandon
  public :: tutti_rank, tutti_size, tutti_split, tutti_split_by_node, tutti_duplicate, tutti_free, tutti_set_timeout
  public :: tutti_arguments_of, tutti_call, tutti_start, tutti_wait, tutti_test, tutti_wait_all
  public :: tutti_plan_create, tutti_plan_start, tutti_plan_wait, tutti_plan_test, tutti_plan_free
  public :: tutti_send_start, tutti_receive_start, tutti_probe, tutti_allocate, tutti_free_memory
  public :: tutti_barrier, tutti_broadcast, tutti_all_reduce, tutti_send, tutti_receive

  interface
    function tutti_api_version() &
      bind(C, name='tutti_api_version') result(version)
      import
      integer(c_int32_t) :: version
    end function tutti_api_version

    function c_last_error() &
      bind(C, name='tutti_last_error') result(text)
      import
      type(c_ptr) :: text
    end function c_last_error

    function tutti_world(world) &
      bind(C, name='tutti_world') result(status)
      import
      type(c_ptr), intent(out) :: world
      integer(c_int32_t) :: status
    end function tutti_world

    function tutti_finalize() &
      bind(C, name='tutti_finalize') result(status)
      import
      integer(c_int32_t) :: status
    end function tutti_finalize

    function tutti_join(rank, size, exchange, user, joined) &
      bind(C, name='tutti_join') result(status)
      import
      integer(c_int32_t), value :: rank, size
      type(c_funptr), value :: exchange
      type(c_ptr), value :: user
      type(c_ptr), intent(out) :: joined
      integer(c_int32_t) :: status
    end function tutti_join

    function c_abandon(communicator, text) &
      bind(C, name='tutti_abandon') result(status)
      import
      type(c_ptr), value :: communicator
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int32_t) :: status
    end function c_abandon

    function tutti_rank(communicator) &
      bind(C, name='tutti_rank') result(rank)
      import
      type(c_ptr), value :: communicator
      integer(c_int32_t) :: rank
    end function tutti_rank

    function tutti_size(communicator) &
      bind(C, name='tutti_size') result(ranks)
      import
      type(c_ptr), value :: communicator
      integer(c_int32_t) :: ranks
    end function tutti_size

    function tutti_split(communicator, color, key, part) &
      bind(C, name='tutti_split') result(status)
      import
      type(c_ptr), value :: communicator
      integer(c_int32_t), value :: color, key
      type(c_ptr), intent(out) :: part
      integer(c_int32_t) :: status
    end function tutti_split

    function tutti_split_by_node(communicator, node) &
      bind(C, name='tutti_split_by_node') result(status)
      import
      type(c_ptr), value :: communicator
      type(c_ptr), intent(out) :: node
      integer(c_int32_t) :: status
    end function tutti_split_by_node

    function tutti_duplicate(communicator, copy) &
      bind(C, name='tutti_duplicate') result(status)
      import
      type(c_ptr), value :: communicator
      type(c_ptr), intent(out) :: copy
      integer(c_int32_t) :: status
    end function tutti_duplicate

    function tutti_free(communicator) &
      bind(C, name='tutti_free') result(status)
      import
      type(c_ptr), intent(inout) :: communicator
      integer(c_int32_t) :: status
    end function tutti_free

    function tutti_set_timeout(communicator, seconds) &
      bind(C, name='tutti_set_timeout') result(status)
      import
      type(c_ptr), value :: communicator
      real(c_double), value :: seconds
      integer(c_int32_t) :: status
    end function tutti_set_timeout

    function tutti_call(communicator, arguments) &
      bind(C, name='tutti_call') result(status)
      import
      type(c_ptr), value :: communicator
      type(tutti_call_arguments), intent(in) :: arguments
      integer(c_int32_t) :: status
    end function tutti_call

    function tutti_start(communicator, arguments, handle) &
      bind(C, name='tutti_start') result(status)
      import
      type(c_ptr), value :: communicator
      type(tutti_call_arguments), intent(in) :: arguments
      type(c_ptr), intent(out) :: handle
      integer(c_int32_t) :: status
    end function tutti_start

    function tutti_wait(handle, envelope) &
      bind(C, name='tutti_wait') result(status)
      import
      type(c_ptr), intent(inout) :: handle
      type(tutti_envelope), intent(out), optional :: envelope
      integer(c_int32_t) :: status
    end function tutti_wait

    function tutti_test(handle, done, envelope) &
      bind(C, name='tutti_test') result(status)
      import
      type(c_ptr), intent(inout) :: handle
      integer(c_int32_t), intent(out) :: done
      type(tutti_envelope), intent(out), optional :: envelope
      integer(c_int32_t) :: status
    end function tutti_test

    function tutti_wait_all(communicator) &
      bind(C, name='tutti_wait_all') result(status)
      import
      type(c_ptr), value :: communicator
      integer(c_int32_t) :: status
    end function tutti_wait_all

    function tutti_plan_create(communicator, arguments, plan) &
      bind(C, name='tutti_plan_create') result(status)
      import
      type(c_ptr), value :: communicator
      type(tutti_call_arguments), intent(in) :: arguments
      type(c_ptr), intent(out) :: plan
      integer(c_int32_t) :: status
    end function tutti_plan_create

    function tutti_plan_start(plan) &
      bind(C, name='tutti_plan_start') result(status)
      import
      type(c_ptr), value :: plan
      integer(c_int32_t) :: status
    end function tutti_plan_start

    function tutti_plan_wait(plan) &
      bind(C, name='tutti_plan_wait') result(status)
      import
      type(c_ptr), value :: plan
      integer(c_int32_t) :: status
    end function tutti_plan_wait

    function tutti_plan_test(plan, done) &
      bind(C, name='tutti_plan_test') result(status)
      import
      type(c_ptr), value :: plan
      integer(c_int32_t), intent(out) :: done
      integer(c_int32_t) :: status
    end function tutti_plan_test

    function tutti_plan_free(plan) &
      bind(C, name='tutti_plan_free') result(status)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int32_t) :: status
    end function tutti_plan_free

    function c_send(communicator, data, count, element_type, to, tag) &
      bind(C, name='tutti_send') result(status)
      import
      type(c_ptr), value :: communicator, data
      integer(c_int64_t), value :: count
      integer(c_int32_t), value :: element_type, to, tag
      integer(c_int32_t) :: status
    end function c_send

    function c_receive(communicator, data, count, element_type, from, tag, envelope) &
      bind(C, name='tutti_receive') result(status)
      import
      type(c_ptr), value :: communicator, data
      integer(c_int64_t), value :: count
      integer(c_int32_t), value :: element_type, from, tag
      type(tutti_envelope), intent(out), optional :: envelope
      integer(c_int32_t) :: status
    end function c_receive

    function tutti_send_start(communicator, data, count, element_type, to, tag, handle) &
      bind(C, name='tutti_send_start') result(status)
      import
      type(c_ptr), value :: communicator, data
      integer(c_int64_t), value :: count
      integer(c_int32_t), value :: element_type, to, tag
      type(c_ptr), intent(out) :: handle
      integer(c_int32_t) :: status
    end function tutti_send_start

    function tutti_receive_start(communicator, data, count, element_type, from, tag, handle) &
      bind(C, name='tutti_receive_start') result(status)
      import
      type(c_ptr), value :: communicator, data
      integer(c_int64_t), value :: count
      integer(c_int32_t), value :: element_type, from, tag
      type(c_ptr), intent(out) :: handle
      integer(c_int32_t) :: status
    end function tutti_receive_start

    function tutti_probe(communicator, from, tag, envelope) &
      bind(C, name='tutti_probe') result(status)
      import
      type(c_ptr), value :: communicator
      integer(c_int32_t), value :: from, tag
      type(tutti_envelope), intent(out) :: envelope
      integer(c_int32_t) :: status
    end function tutti_probe

    function tutti_allocate(communicator, bytes, memory) &
      bind(C, name='tutti_allocate') result(status)
      import
      type(c_ptr), value :: communicator
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: memory
      integer(c_int32_t) :: status
    end function tutti_allocate

    function tutti_free_memory(memory) &
      bind(C, name='tutti_free_memory') result(status)
      import
      type(c_ptr), value :: memory
      integer(c_int32_t) :: status
    end function tutti_free_memory
  end interface

  !> Every rank has the elements of the root, 0 if none is named.
  interface tutti_broadcast
    module procedure broadcast_double, broadcast_float, broadcast_int32, broadcast_int64
  end interface tutti_broadcast

  !> In place: every rank has the result.
  interface tutti_all_reduce
    module procedure all_reduce_double, all_reduce_float, all_reduce_int32, all_reduce_int64
  end interface tutti_all_reduce

  !> Returns when rank `to` has received the elements.
  interface tutti_send
    module procedure send_double, send_float, send_int32, send_int64
  end interface tutti_send

  !> Returns when the elements of rank `from` have come, which must be as many.
  interface tutti_receive
    module procedure receive_double, receive_float, receive_int32, receive_int64
  end interface tutti_receive

contains

  !> The sentence of the last call of this thread that failed.
  function tutti_error_text() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: first
    integer :: length
    first = c_last_error()
    call c_f_pointer(first, letters, [huge(0)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
    end do
    allocate (character(length) :: text)
    text = transfer(letters(1:length), text)
  end function tutti_error_text

  !> Ends this rank's part in its world as a failure, which the other ranks are told with that text.
  function tutti_abandon(communicator, text) result(status)
    type(c_ptr), intent(in) :: communicator
    character(*), intent(in) :: text
    integer(c_int32_t) :: status
    character(kind=c_char) :: letters(len_trim(text) + 1)
    integer :: k
    do k = 1, len_trim(text)
      letters(k) = text(k:k)
    end do
    letters(len_trim(text) + 1) = c_null_char
    status = c_abandon(communicator, letters)
  end function tutti_abandon

  !> Arguments of a collective, whose other components are 0.
  function tutti_arguments_of(collective, input, output, count, element_type) result(arguments)
    integer(c_int32_t), intent(in) :: collective, element_type
    type(c_ptr), intent(in) :: input, output
    integer(c_int64_t), intent(in) :: count
    type(tutti_call_arguments) :: arguments
    arguments%size = c_sizeof(arguments)
    arguments%collective = collective
    arguments%input = input
    arguments%output = output
    arguments%count = count
    arguments%element_type = element_type
  end function tutti_arguments_of

  function tutti_barrier(communicator) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int32_t) :: status
    status = tutti_call(communicator, tutti_arguments_of(TUTTI_COLLECTIVE_BARRIER, c_null_ptr, c_null_ptr, 0_c_int64_t, &
                                                         TUTTI_UINT8))
  end function tutti_barrier

  function broadcast(communicator, message, count, element_type, root) result(status)
    type(c_ptr), intent(in) :: communicator, message
    integer(c_int64_t), intent(in) :: count
    integer(c_int32_t), intent(in) :: element_type
    integer(c_int32_t), intent(in), optional :: root
    integer(c_int32_t) :: status
    type(tutti_call_arguments) :: arguments
    arguments = tutti_arguments_of(TUTTI_COLLECTIVE_BROADCAST, c_null_ptr, message, count, element_type)
    if (present(root)) arguments%root = root
    status = tutti_call(communicator, arguments)
  end function broadcast

  function all_reduce(communicator, data, count, element_type, op) result(status)
    type(c_ptr), intent(in) :: communicator, data
    integer(c_int64_t), intent(in) :: count
    integer(c_int32_t), intent(in) :: element_type, op
    integer(c_int32_t) :: status
    type(tutti_call_arguments) :: arguments
    arguments = tutti_arguments_of(TUTTI_COLLECTIVE_ALL_REDUCE, data, data, count, element_type)
    arguments%op = op
    status = tutti_call(communicator, arguments)
  end function all_reduce

  pure function tag_or_0(tag) result(given)
    integer(c_int32_t), intent(in), optional :: tag
    integer(c_int32_t) :: given
    given = 0
    if (present(tag)) given = tag
  end function tag_or_0

  function broadcast_double(communicator, a, root) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_double), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in), optional :: root
    integer(c_int32_t) :: status
    status = broadcast(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_DOUBLE, root)
  end function broadcast_double

  function all_reduce_double(communicator, a, op) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_double), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: op
    integer(c_int32_t) :: status
    status = all_reduce(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_DOUBLE, op)
  end function all_reduce_double

  function send_double(communicator, a, to, tag) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_double), intent(in), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: to
    integer(c_int32_t), intent(in), optional :: tag
    integer(c_int32_t) :: status
    status = c_send(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_DOUBLE, to, tag_or_0(tag))
  end function send_double

  function receive_double(communicator, a, from, tag, envelope) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_double), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: from
    integer(c_int32_t), intent(in), optional :: tag
    type(tutti_envelope), intent(out), optional :: envelope
    integer(c_int32_t) :: status
    status = c_receive(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_DOUBLE, from, tag_or_0(tag), envelope)
  end function receive_double

  function broadcast_float(communicator, a, root) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_float), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in), optional :: root
    integer(c_int32_t) :: status
    status = broadcast(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_FLOAT, root)
  end function broadcast_float

  function all_reduce_float(communicator, a, op) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_float), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: op
    integer(c_int32_t) :: status
    status = all_reduce(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_FLOAT, op)
  end function all_reduce_float

  function send_float(communicator, a, to, tag) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_float), intent(in), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: to
    integer(c_int32_t), intent(in), optional :: tag
    integer(c_int32_t) :: status
    status = c_send(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_FLOAT, to, tag_or_0(tag))
  end function send_float

  function receive_float(communicator, a, from, tag, envelope) result(status)
    type(c_ptr), intent(in) :: communicator
    real(c_float), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: from
    integer(c_int32_t), intent(in), optional :: tag
    type(tutti_envelope), intent(out), optional :: envelope
    integer(c_int32_t) :: status
    status = c_receive(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_FLOAT, from, tag_or_0(tag), envelope)
  end function receive_float

  function broadcast_int32(communicator, a, root) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int32_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in), optional :: root
    integer(c_int32_t) :: status
    status = broadcast(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT32, root)
  end function broadcast_int32

  function all_reduce_int32(communicator, a, op) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int32_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: op
    integer(c_int32_t) :: status
    status = all_reduce(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT32, op)
  end function all_reduce_int32

  function send_int32(communicator, a, to, tag) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int32_t), intent(in), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: to
    integer(c_int32_t), intent(in), optional :: tag
    integer(c_int32_t) :: status
    status = c_send(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT32, to, tag_or_0(tag))
  end function send_int32

  function receive_int32(communicator, a, from, tag, envelope) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int32_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: from
    integer(c_int32_t), intent(in), optional :: tag
    type(tutti_envelope), intent(out), optional :: envelope
    integer(c_int32_t) :: status
    status = c_receive(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT32, from, tag_or_0(tag), envelope)
  end function receive_int32

  function broadcast_int64(communicator, a, root) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int64_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in), optional :: root
    integer(c_int32_t) :: status
    status = broadcast(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT64, root)
  end function broadcast_int64

  function all_reduce_int64(communicator, a, op) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int64_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: op
    integer(c_int32_t) :: status
    status = all_reduce(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT64, op)
  end function all_reduce_int64

  function send_int64(communicator, a, to, tag) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int64_t), intent(in), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: to
    integer(c_int32_t), intent(in), optional :: tag
    integer(c_int32_t) :: status
    status = c_send(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT64, to, tag_or_0(tag))
  end function send_int64

  function receive_int64(communicator, a, from, tag, envelope) result(status)
    type(c_ptr), intent(in) :: communicator
    integer(c_int64_t), intent(inout), target, contiguous :: a(..)
    integer(c_int32_t), intent(in) :: from
    integer(c_int32_t), intent(in), optional :: tag
    type(tutti_envelope), intent(out), optional :: envelope
    integer(c_int32_t) :: status
    status = c_receive(communicator, c_loc(a), size(a, kind=c_int64_t), TUTTI_INT64, from, tag_or_0(tag), envelope)
  end function receive_int64

end module tutti
