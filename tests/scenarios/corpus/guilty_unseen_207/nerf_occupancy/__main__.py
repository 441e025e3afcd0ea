# gradwatch-corpus: kind=retain-needless
# first-bad: 0
from .fit import fit

if __name__ == "__main__":
    fit(steps=450)
