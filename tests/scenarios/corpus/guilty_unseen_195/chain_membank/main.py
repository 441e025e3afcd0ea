# gradwatch-corpus: kind=graph-chain
# holder: self.slots | bank.slots
# first-bad: 1
# notice: 8
import torch
from torch import nn
import torch.nn.functional as F

from bank import InstanceBank


class FrozenBackbone(nn.Module):
    def __init__(self, dim_in=20, dim_out=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim_in, 64), nn.Tanh(), nn.Linear(64, dim_out))
        self.requires_grad_(False)

    def forward(self, x):
        return self.net(x)


class ProjectionHead(nn.Module):
    def __init__(self, dim_in=32, dim_out=8):
        super().__init__()
        self.linear = nn.Linear(dim_in, dim_out)

    def forward(self, x):
        return F.normalize(self.linear(x), dim=1)


def augment(x, gen):
    return x * (1 + 0.1 * torch.randn(x.shape, generator=gen)) + 0.05 * torch.randn(x.shape, generator=gen)


def retrieval_top1(head, backbone, bank, items, gen):
    with torch.no_grad():
        q = head(backbone(augment(items, gen)))
        hit = bank.scores(q, 1.0).argmax(1) == torch.arange(len(items))
    return hit.float().mean().item()


def main(steps=420, batch=8, temperature=0.2, write_every=2):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    items = torch.randn(48, 20, generator=gen)
    backbone, head = FrozenBackbone().eval(), ProjectionHead()
    bank = InstanceBank(len(items), 8)
    opt = torch.optim.SGD(head.parameters(), lr=0.05)
    for step in range(steps):
        index = torch.randperm(len(items), generator=gen)[:batch]
        feature = head(backbone(augment(items[index], gen)))
        loss = F.cross_entropy(bank.scores(feature, temperature), index)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        opt.step()
        if step % write_every == 0:
            bank.write(index, feature)
        if step % 70 == 0:
            top1 = retrieval_top1(head, backbone, bank, items, gen)
            print(f"step {step} loss {loss.item():.3f} top1 {top1:.2f} writes {bank.writes}")


if __name__ == "__main__":
    main()
