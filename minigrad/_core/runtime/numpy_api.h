/* NumPy's C API; importing.h says where its table of functions is. */

#ifndef MINIGRAD_NUMPY_C_H
#define MINIGRAD_NUMPY_C_H

#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

static inline const char *mg_types_of(PyObject *ufunc)
{
    return ((PyUFuncObject *)ufunc)->types;
}

#endif
