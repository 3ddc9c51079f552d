"""The assignments that come with minigrad, one file each; ../spec.py has their order."""
