# gradwatch-corpus: kind=second-backward
# holder: self.past | net.past | net.encoder.past | encoder.past | self.net.encoder.past
# first-bad: 40
"""Streaming dictation toy: frame classifier with a GRU whose context can be carried between chunks.
The curriculum switches carrying on after a while."""
from .loop import Loop
from .plugins import build

if __name__ == "__main__":
    Loop(chunks=240, plugins=build(["print_every:20", "curriculum:40"])).start()
