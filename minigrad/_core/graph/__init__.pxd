# The data model under a short name; see graph.pxd.

from minigrad._core.graph.graph cimport *
