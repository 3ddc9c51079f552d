"""minigrad where it runs in web pages."""
