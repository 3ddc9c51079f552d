"""Windows that move over a tensor: convolutions, and what lays windows side by side."""
