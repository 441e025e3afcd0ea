# gradwatch-corpus: kind=second-backward
# holder: self.cells | model.memory.cells | self.memory.cells
# first-bad: 24
# also: graph-held
"""Next-category prediction from a shop's event stream; each customer has a memory cell (TGN / JODIE style)."""
from tgn.app import main

if __name__ == "__main__":
    main()
