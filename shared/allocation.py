"""Memory of the C library, which lies behind all that Python takes in pieces of more than 512 bytes.

glibc learns from each large piece that is freed to take the next ones from its heap, where whatever small piece comes
to lie behind them keeps them from the system: after some turns of 20,000 players three quarters of its heap were free.
Elsewhere than on glibc nothing is done.
"""

import ctypes
from functools import cache

LARGE_BYTES = 256 * 1024
"""A piece so large is the system's own, given back when it is freed."""
_KEPT_AT_THE_END = 16 * 1024 * 1024
"""So much that is free at the end of the heap stays there, where it is soon taken again."""
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
"""As malloc.h of glibc names and numbers them."""


def keep_large_apart() -> bool:
    """Take large pieces from the system from now on, in this process; False where the library cannot be told."""
    library = _glibc()
    return library is not None and all(
        library.mallopt(option, value) == 1
        for option, value in ((_M_MMAP_THRESHOLD, LARGE_BYTES), (_M_TRIM_THRESHOLD, _KEPT_AT_THE_END))
    )


def give_back() -> bool:
    """Give the system what is free now, page by page; True if there was any. Milliseconds for a heap of 100 MB."""
    library = _glibc()
    return library is not None and library.malloc_trim(0) == 1


@cache
def _glibc() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
        library.mallopt.argtypes = (ctypes.c_int, ctypes.c_int)
        library.malloc_trim.argtypes = (ctypes.c_size_t,)
        library.gnu_get_libc_version  # noqa: B018 - another library may have the names and not the numbers
    except (OSError, AttributeError, TypeError):
        return None
    return library
