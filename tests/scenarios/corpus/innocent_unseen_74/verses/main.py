# gradwatch-corpus: kind=none
"""Homework: a generator of verses, letter by letter, on longer and longer pieces."""
import torch

from poem import Poem
from writer import Writer, Teacher

torch.set_num_threads(1)
torch.manual_seed(8)

poem = Poem()
writer = Writer(len(poem.letters))
teacher = Teacher(writer, poem)

for length in (6, 10, 16, 24):
    teacher.lesson(length, rounds=45)
    print(f"length {length}: loss {teacher.mean_loss():.3f}  best {teacher.best:.3f}")
    print("   ", writer.write(poem, "the ", 40).replace("\n", "/"))

teacher.restore()
print(writer.write(poem, "a ", 80))
