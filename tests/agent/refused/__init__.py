"""Jobs that end by what torch refuses in a statement of their own, or by a gradient that is not
there. Each says `name | cure`: what the finding calls the tensor, and how what it suggests cures.
"""
