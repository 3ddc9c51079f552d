"""NumPy's C API, found once for all modules of the core.

It is a table of functions, which this module fills and importing.h lets the others share.  So the package imports this
module before any other.
"""

cdef extern from *:
    """
    #undef NO_IMPORT_ARRAY
    #undef NO_IMPORT_UFUNC
    #include "numpy_api.h"
    """
    int import_array "_import_array"() except -1
    int import_umath "_import_umath"() except -1

import_array()
import_umath()
