/* How a module of the core imports another one, from which it takes functions and classes.

   Python's import would ask for the lock of the package `minigrad` each time, which is itself being imported: a
   thousand times, in 4 ms.  A module that is there already needs no lock.  Every module is compiled with this file in
   front (setup.py), since the code that imports is written by Cython. */

#include <Python.h>

static inline PyObject *import_once(const char *name)
{
    PyObject *module, *text = PyUnicode_FromString(name);
    if (text == NULL) return NULL;
    module = PyImport_GetModule(text);
    if (module == NULL && !PyErr_Occurred()) module = PyImport_Import(text);
    Py_DECREF(text);
    return module;
}

#define PyImport_ImportModule import_once
