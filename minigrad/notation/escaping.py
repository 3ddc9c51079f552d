"""Put a program's text in a page: names, messages and values appear verbatim, and are never read as markup."""

import html
import re

__all__ = ["escape", "shown"]

#: characters that XML or UTF-8 cannot represent: control characters and lone surrogates
_NOT_SHOWN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shown(text):
    """The text, with characters that no file can hold written as Python's escapes, such as ``\\x00``.

    >>> from minigrad.notation.escaping import shown
    >>> shown("a" + chr(0))
    'a\\\\x00'
    """
    return _NOT_SHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def escape(text):
    """The text escaped for HTML and XML, between tags or inside quotes.

    >>> from minigrad.notation.escaping import escape
    >>> escape('</script> & "quotes"')
    '&lt;/script&gt; &amp; &quot;quotes&quot;'
    """
    return html.escape(shown(text))
