"""``warm.py start.py [minigrad]``: an interpreter that has imported what start.py does, and is forked for submissions.

It runs start.py up to where the process of a submission asks for its first question. There it waits for a folder and
four open files, and a copy goes on in that folder, with the first three as its standard input, output and errors. So
nothing of a submission was here before, and a copy has the modules, the paths and the fence of a process of its own.
Into the fourth file it writes the number of the process, and in the end with which status that has ended.
"""

import os
import socket
import struct
import sys

INTEGER, FILES = struct.Struct("i"), struct.Struct("4i")


def main():
    sys.path_importer_cache[sys.argv[1]] = sys.path_importer_cache.pop(sys.argv[0])
    sys.argv[:] = sys.argv[1:]
    sys.orig_argv[:] = [sys.executable, *sys.argv]
    channel = socket.socket(fileno=os.dup(0))
    space = {"__name__": "start", "__file__": sys.argv[0]}
    with open(sys.argv[0], encoding="utf-8") as file:
        exec(compile(file.read(), sys.argv[0], "exec"), space)
    room = space["room"]

    def interposed(name):
        module = room(name)
        if name == "child":
            opened = module.opened

            def forked():
                serve(channel)
                module.opened = opened
                return opened()

            module.opened = forked
        return module

    space["room"] = interposed
    space["main"](sys.argv[1:])


def serve(channel):
    """Return in a copy of the process, for each folder that comes; the process itself ends with the channel."""
    while True:
        folder, found, *_ = channel.recvmsg(4096, socket.CMSG_SPACE(FILES.size))
        if not folder:
            os._exit(0)
        files = FILES.unpack(found[0][2])
        between = os.fork()
        if between == 0:
            break
        for each in files:
            os.close(each)
        os.waitpid(between, 0)
    *standard, told = files
    if os.fork():
        os._exit(0)                     # so that nobody has to wait for what waits below
    copy = os.fork()
    if copy:
        for each in standard:
            os.close(each)
        try:
            os.write(told, INTEGER.pack(os.waitpid(copy, 0)[1]))
        except BrokenPipeError:         # nobody asks any more
            pass
        os._exit(0)
    channel.close()
    os.setsid()
    os.chdir(folder)
    os.environ["HOME"] = os.environ["TMPDIR"] = folder.decode()
    for number, each in enumerate(standard):
        os.dup2(each, number)
        os.close(each)
    os.write(told, INTEGER.pack(os.getpid()))
    os.close(told)


if __name__ == "__main__":
    main()
