"""minigrad's own tests where it runs in web pages: ``python -m tests.live``."""
