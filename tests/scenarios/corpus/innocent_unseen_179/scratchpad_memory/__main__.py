# gradwatch-corpus: kind=none
"""Key-value recall with an external memory that lives across batches."""
import torch
import torch.nn.functional as F

from .memory import SlotMemory
from .model import Controller


def batches(steps, keys, values, batch=10):
    table = torch.randint(0, values, (keys,))
    for step in range(steps):
        if step % 40 == 0:
            table[torch.randint(0, keys, (3,))] = torch.randint(0, values, (3,))
        k = torch.randint(0, keys, (batch,))
        yield k, table[k].clone()


def run(steps=600, keys=30, values=8):
    torch.manual_seed(77)
    controller = Controller(keys, values)
    memory = SlotMemory(slots=24, width=controller.width)
    optimizer = torch.optim.Adam(controller.parameters(), lr=3e-3)
    right = 0.0
    for step, (k, v) in enumerate(batches(steps, keys, values)):
        query, write = controller(k, v)
        recalled, attention = memory.read(query)
        logits = controller.decode(query, recalled)
        auto = controller.decode(query, write)
        loss = F.cross_entropy(logits, v) + 0.5 * F.cross_entropy(auto, v)
        loss = loss + 0.01 * (attention * attention.clamp_min(1e-9).log()).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        memory.write(query, write, attention)
        right = 0.98 * right + 0.02 * (logits.argmax(1) == v).float().mean().item()
        if step % 75 == 0:
            print(step, f"{loss.item():.3f} recall {right:.3f} oldest {memory.oldest()}")


if __name__ == "__main__":
    run()
