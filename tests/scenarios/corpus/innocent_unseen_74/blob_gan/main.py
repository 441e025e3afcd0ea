# gradwatch-corpus: kind=none
"""Lab 7: a GAN for little pictures of blobs. One fake batch serves both players."""
import torch

from players import Artist, Judge
from lab import GanLab

torch.manual_seed(33)
torch.set_num_threads(1)

lab = GanLab(Artist(noise=5), Judge(), batch=32)
for i in range(200):
    lab.play()
    if i % 40 == 0:
        lab.tell()
lab.tell()

picture = lab.average_artist_picture()
for row in picture:
    print("".join("#" if v > 0.5 else "." for v in row.tolist()))
