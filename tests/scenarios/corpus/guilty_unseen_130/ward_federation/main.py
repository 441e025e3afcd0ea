# gradwatch-corpus: kind=crashed
# first-bad: 180
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(9)

from clinic import Clinic, fresh_weights
from wire import pack, unpack


class Coordinator:
    def __init__(self, clinics):
        self.clinics = clinics

    def round(self):
        blobs, sizes = [], []
        for c in self.clinics:
            c.local_epochs()
            blobs.append(pack(c.w))
            sizes.append(c.size)
        states = [unpack(b) for b in blobs]
        share = [s / sum(sizes) for s in sizes]
        merged = {k: sum(a * st[k] for a, st in zip(share, states)) for k in states[0]}
        blob = pack(merged)
        for c in self.clinics:
            c.receive(blob)


seed_weights = fresh_weights()
clinics = [Clinic(seed_weights, size, shift) for size, shift in ((40, 0.0), (64, 0.4), (24, -0.3), (56, 0.1))]
coord = Coordinator(clinics)
for r in range(8):
    coord.round()
    print("round", r, [round(c.last, 3) for c in clinics])
