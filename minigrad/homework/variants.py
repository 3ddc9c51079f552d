"""No two alike: the variant of an assignment that a student gets.

An assignment says what varies in it, and between which choices (spec.py).  A draw picks one choice for each part, by a
hash of the student's ID, so that the same ID gets the same variant on every machine and with every Python:

    part         choices                    drawn for "ada"
    function     exp, sinh, cosh, expm1     cosh    c
    power        3, 4, 5                    4       b           the word of the variant is "cb"

The first choice of each part is the published one: it is what `start` writes without an ID, what the published
solutions solve, and what nobody draws.  The first line of a starter file says what was drawn:

    # minigrad homework: own_function variant cb drawn 60f1b1d6c8a5ef44 for ada

The last number is a seal on the rest of the line.  Without a secret everybody can compute it, and so check that the
variant is the one of the ID.  With an instructor's secret the hash is keyed: then the line says "sealed" instead of
"drawn", and only the secret tells which variant belongs to an ID.
"""

import hashlib
import hmac
import re
import string
import unicodedata
from pathlib import Path

__all__ = ["MARK", "Variant", "drawn", "mark_of", "published", "read_mark", "read_secret", "resolved"]

#: the line of a starter by which a submission says which assignment it is for
MARK = "# minigrad homework: "
LINE = re.compile(rf"^{MARK}(\S+)[ \t]*(.*?)\s*$", re.MULTILINE)
DRAW = re.compile(r"variant ([a-z]+) (drawn|sealed) ([0-9a-f]{16}) for (\S.*)")
SHORTEST = 16               # characters of a secret


class Variant(dict):
    """What was drawn, {name: value}; ``word`` has a letter for each part, and ``student`` is the ID or None."""

    def __init__(self, varies, word, student=None):
        self.word, self.student = word, student
        for (part, choices), letter in zip(varies.items(), word, strict=True):
            choice = choices[string.ascii_lowercase.index(letter)]
            self.update(choice if isinstance(choice, dict) else {part: choice})

    def fill(self, text):
        """The text with the values in place of ``$name`` and ``${name}``."""
        return string.Template(text).substitute(self) if self else text


def published(varies):
    """The variant of the first choices.

    >>> from minigrad.homework.variants import published
    >>> published({"power": (3, 4, 5)})
    {'power': 3}
    """
    return Variant(varies, "a" * len(varies))


def drawn(name, varies, student, secret=b""):
    """The variant of the assignment of this name for a student.

    >>> from minigrad.homework.variants import drawn
    >>> drawn("example", {"power": (3, 4, 5), "function": ("exp", "sinh", "cosh")}, "ada")
    {'power': 4, 'function': 'cosh'}
    """
    def letter(part, choices):
        if len(choices) < 2:
            raise LookupError(f"{part!r} of {name} has no choice but the published one, which nobody draws: give it "
                              "two more, so that neighbours differ")
        number = int.from_bytes(digest(secret, name, part, identity(student)), "big")
        return string.ascii_lowercase[1 + number % (len(choices) - 1)]

    return Variant(varies, "".join([letter(*each) for each in varies.items()]), identity(student))


def identity(student):
    """An ID as it is written on the first line: two ways to write the same letters are one."""
    student = " ".join(unicodedata.normalize("NFC", str(student)).split())
    if not student:
        raise LookupError("the ID is empty")
    return student


def digest(secret, *texts):
    return hmac.digest(secret, "\n".join(texts).encode("utf-8"), hashlib.sha256)


def seal(name, word, student, secret):
    return digest(secret, name, "the seal", word, student).hex()[:16]


# ------------------------------------------------------------------------------ the first line


def mark_of(name, variant, secret=b""):
    """The first line of a starter file."""
    if variant.student is None:
        return f"{MARK}{name}"
    how = "sealed" if secret else "drawn"
    return (f"{MARK}{name} variant {variant.word} {how} {seal(name, variant.word, variant.student, secret)} "
            f"for {variant.student}")


def read_mark(source):
    """(name of the assignment or None, what the rest of the line says) in the source of a submission."""
    found = LINE.search(source)
    return (found[1], found[2]) if found else (None, "")


UNMARKED = ("{name}: the file does not say for whom it is, and with a secret nothing is judged that does not: the "
            "first line must be the one that `homework start {name} --for ID --secret FILE` has written")
CHANGED = ("the first line is not as `homework start` has written it: write the file anew with --for and --to, and "
           "copy your functions into it")
OTHER = ("The first line is for {student!r}, but the variant in it is not the one that is drawn for that ID{how}. "
         "Judged is the variant that belongs to the ID.")
UNCHECKED = "The variant is the one that the first line names. Whether it belongs to the ID is checked with the secret."


def resolved(name, varies, source, student=None, secret=b""):
    """(the variant by which a submission is judged, what must be said about it).

    With ``student`` it is the variant of that ID, whatever the file says. Raises `LookupError` if it cannot be told.
    """
    name_in_file, rest = read_mark(source)
    said = DRAW.fullmatch(rest)
    if student is not None and varies:
        variant = drawn(name, varies, student, secret)
        fits = said and (said[1], identity(said[4])) == (variant.word, variant.student)
        return variant, "" if fits else (f"Judged is the variant of {variant.student!r}. The first line of the file is "
                                         "not for that ID.")
    if not varies or rest.partition(" ")[0] != "variant" or name_in_file != name:
        if secret and varies:
            raise LookupError(UNMARKED.format(name=name))
        return published(varies), ""
    if not said:
        raise LookupError(CHANGED)
    word, how, sealed, student = said.groups()
    if how == "sealed" and not secret:
        try:
            return Variant(varies, word, identity(student)), UNCHECKED
        except (ValueError, IndexError):
            raise LookupError(CHANGED) from None
    variant = drawn(name, varies, student, secret)
    if word == variant.word and hmac.compare_digest(sealed, seal(name, word, variant.student, secret)):
        return variant, ""
    return variant, OTHER.format(student=variant.student, how=" with this secret" if secret else "")


def read_secret(path):
    """The secret in a file, as bytes; raises `LookupError` if it could be guessed."""
    secret = Path(path).read_bytes().strip()
    if len(secret) < SHORTEST:
        raise LookupError(f"the secret in {str(path)!r} has {len(secret)} characters, and less than {SHORTEST} can be "
                          "guessed: python -c \"import secrets; print(secrets.token_hex())\" prints one")
    return secret
