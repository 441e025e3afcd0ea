# gradwatch-corpus: kind=graph-chain
# holder: self.memory_container | memory.memory_container | self.memory.memory_container | tgn.memory.memory_container
# first-bad: 1
# also: retain-needless
# after: memgraph/mage PR 121 "Temporal graph networks" (detach_tensor_grads of the memory container)
"""Link prediction on a stream of user-item interactions with a small temporal graph network."""
import argparse
import torch
import torch.nn.functional as F

from model import TGN
from memory import Memory
from stream import InteractionStream


def build(args):
    torch.manual_seed(args.seed)
    stream = InteractionStream(args.nodes, args.edge_dim, args.batch_size, args.batches, seed=args.seed)
    memory = Memory(args.memory_dim)
    return stream, TGN(memory, args.edge_dim, args.memory_dim)


def learn(tgn, stream, args):
    optimizer = torch.optim.Adam(tgn.parameters(), lr=args.lr)
    total, seen = 0.0, 0
    for step, batch in enumerate(stream):
        tgn.train()
        optimizer.zero_grad()
        pos, neg = tgn(batch)
        labels = torch.cat([torch.ones_like(pos), torch.zeros_like(neg)])
        loss = F.binary_cross_entropy_with_logits(torch.cat([pos, neg]), labels)
        loss.backward(retain_graph=True)  # otherwise: RuntimeError ... second time
        optimizer.step()
        total += loss.item() * len(labels)
        seen += len(labels)
        if step % 20 == 0:
            ap = ((pos > 0).float().mean() + (neg < 0).float().mean()) / 2
            print(f"batch {step:3d}  loss {total / seen:.4f}  acc {ap.item():.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=40)
    parser.add_argument("--edge_dim", type=int, default=12)
    parser.add_argument("--memory_dim", type=int, default=16)
    parser.add_argument("--batch_size", type=int, default=24)
    parser.add_argument("--batches", type=int, default=75)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=4)
    args = parser.parse_args([])
    stream, tgn = build(args)
    learn(tgn, stream, args)
