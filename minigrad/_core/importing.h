/* How a module of the core gets at what others have.  Every module is compiled with this file in front (setup.py),
   since the code that imports is written by Cython. */

#include <Python.h>

/* Python's import would ask for the lock of the package `minigrad` each time, which is itself being imported: a
   thousand times, in 4 ms.  A module that is there already needs no lock. */
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

/* What a module gives away in C it keeps in one dict, for which Cython asks by its name once for each function: two
   thousand times. */
static inline PyObject *attribute_by_name(PyObject *object, const char *name)
{
    static PyObject *given_away;
    PyObject *found = NULL;
    if (PyModule_Check(object) && strcmp(name, "__pyx_capi__") == 0) {
        if (given_away == NULL && (given_away = PyUnicode_InternFromString(name)) == NULL) return NULL;
        found = PyDict_GetItemWithError(PyModule_GetDict(object), given_away);
    }
    return found != NULL ? Py_NewRef(found) : PyErr_Occurred() ? NULL : PyObject_GetAttrString(object, name);
}

#define PyObject_GetAttrString attribute_by_name

/* NumPy's C API is a table of functions, of which all modules share one; numpy_table.pyx fills it. */
#define PY_ARRAY_UNIQUE_SYMBOL minigrad_array_api
#define PY_UFUNC_UNIQUE_SYMBOL minigrad_ufunc_api
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
