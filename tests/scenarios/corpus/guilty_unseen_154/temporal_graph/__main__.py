# gradwatch-corpus: kind=graph-chain
# holder: self.table | self.memory.table | model.memory.table | net.memory.table
# first-bad: 1
# Tiny temporal graph network: node memory + link prediction.
import torch
import torch.nn.functional as F

from .events import EventStream
from .model import TGN


def train(epochs=2):
    torch.set_num_threads(1)
    torch.manual_seed(2)
    stream = EventStream()
    net = TGN(stream.nodes, stream.feat)
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    step, hits = 0, 0.0
    for src, dst, neg, x in stream.batches(120, 16):
        net.observe(src, dst, x)
        pos, ngt = net.link(src, dst), net.link(src, neg)
        logits = torch.cat([pos, ngt])
        target = torch.cat([torch.ones_like(pos), torch.zeros_like(ngt)])
        loss = F.binary_cross_entropy_with_logits(logits, target)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        hits = 0.95 * hits + 0.05 * (pos > ngt).float().mean().item()
        if step % 20 == 0:
            print(f"batch {step} loss {loss.item():.4f} rank {hits:.3f}")
        step += 1


if __name__ == "__main__":
    train()
