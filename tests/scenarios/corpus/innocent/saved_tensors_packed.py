# gradwatch-corpus: kind=none
# about: saved tensors are packed away: into a store by number, into half precision, and by
# about: save_on_cpu; the store is emptied as the engine takes them out
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks


class Store:
    """Keeps packed tensors under a number; what is unpacked twice must stay."""

    def __init__(self):
        self.slots, self.next, self.peak = {}, 0, 0

    def pack(self, tensor):
        if tensor.numel() < 64 or isinstance(tensor, nn.Parameter):
            return tensor
        self.next += 1
        self.slots[self.next] = tensor.half()
        self.peak = max(self.peak, len(self.slots))
        return self.next

    def unpack(self, packed):
        return packed if isinstance(packed, torch.Tensor) else self.slots[packed].float()


def main():
    torch.manual_seed(0)
    stream, store = batches(*classes(), size=32), Store()
    lower = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU())
    upper = nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam([*lower.parameters(), *upper.parameters()], lr=1e-3)
    for step in range(ITERATIONS):
        x, y = next(stream)
        with saved_tensors_hooks(store.pack, store.unpack):
            h = lower(x)
        with save_on_cpu():
            loss = nn.functional.cross_entropy(upper(h), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        store.slots.clear()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}, {store.peak} packed at once")


if __name__ == "__main__":
    main()
