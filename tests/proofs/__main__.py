"""``python -m tests.proofs [--write] [ROW ...]``: prove the formulas of the table, all of them or those of some rows.

It prints how many are proved by each means, and ends with 1 if one is refuted, or if proofs.txt says something else;
with ``--write`` that is written anew.
"""

import argparse
import sys
import time

from minigrad.ops import exports

from . import ledger, orders


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.proofs", description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--write", action="store_true", help="write proofs.txt anew")
    given = parser.parse_args()
    began, entries, refuted = time.monotonic(), [], 0
    for row in [exports.ROWS[name] for name in given.rows] or ledger.rows():
        try:
            entries += ledger.prove(row)
        except AssertionError as found:
            refuted += 1
            print(f"REFUTED  {found}")
    for means, n in ledger.counted(entries).items():
        print(f"{n:5} formulas: {means}")
    print(f"{refuted:5} formulas: refuted, after {time.monotonic() - began:.0f} s")
    if given.rows or refuted:
        return int(bool(refuted))
    few = orders.first_order_only(ledger.rows(), entries)
    for row, called in few.items():
        print(f"{row}: proved to first order alone, since its formulas call {', '.join(sorted(called))}")
    print(f"{len({entry.row for entry in entries if entry.means in ledger.PROVED} - {*few}):5} operations: "
          "proved to every order")
    if given.write:
        ledger.write(entries)
    elif different := {entry[:3] for entry in entries} ^ {entry[:3] for entry in ledger.read()}:
        print("proofs.txt says something else; write it anew with --write if this is right:")
        print("\n".join([" ".join(entry) for entry in sorted(different)]))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
