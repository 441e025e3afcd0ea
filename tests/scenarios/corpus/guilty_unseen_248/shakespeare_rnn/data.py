import random
import string

import torch

all_characters = string.ascii_letters + " .,;'\n-"
n_characters = len(all_characters)

TEXT = """The quality of mercy is not strained,
It droppeth as the gentle rain from heaven
Upon the place beneath. It is twice blest,
It blesseth him that gives and him that takes.
Now is the winter of our discontent
Made glorious summer by this sun of York,
And all the clouds that lowered upon our house
In the deep bosom of the ocean buried.
"""
TEXT = "".join(ch for ch in TEXT if ch in all_characters)


def char_tensor(s):
    t = torch.zeros(len(s)).long()
    for i, ch in enumerate(s):
        t[i] = all_characters.index(ch)
    return t


def random_start(chunk_len):
    return random.randint(0, len(TEXT) - chunk_len - 2)


def chunk_at(pos, chunk_len):
    if pos + chunk_len + 1 >= len(TEXT):
        pos = 0
    piece = TEXT[pos:pos + chunk_len + 1]
    return char_tensor(piece[:-1]), char_tensor(piece[1:]), pos + chunk_len
