"""Text of a program in a page: names, messages and values are shown as they are, and mean nothing to a browser."""

import html
import re

__all__ = ["escape", "shown"]

#: what XML cannot hold, and UTF-8 cannot write: control characters, halves of characters
_NOT_SHOWN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shown(text):
    """The text, where each character that no file can hold is written as Python writes it, such as ``\\x00``."""
    return _NOT_SHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def escape(text):
    """The text escaped for HTML and XML, between tags or inside quotes.

    >>> from minigrad.notation.escaping import escape
    >>> escape('</script> & "quotes"')
    '&lt;/script&gt; &amp; &quot;quotes&quot;'
    """
    return html.escape(shown(text))
