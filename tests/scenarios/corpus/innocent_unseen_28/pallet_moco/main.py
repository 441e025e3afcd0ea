# gradwatch-corpus: kind=none
# after: XBM / MoCo-style memory: deque(maxlen) of detached keys, EMA encoder under no_grad
"""Re-identification of pallets: wood-grain patches, contrast against a memory of recent embeddings."""
import copy
import logging

import torch
import torch.nn.functional as F

from memory import CrossBatchMemory
from model import GrainNet

logging.basicConfig(level=logging.INFO, format='%(message)s')
CONF = dict(ids=60, batch=32, steps=200, memory_batches=12, tau=0.2, ema=0.98, lr=2e-3)


def grain(ids, noise, g):
    proto = torch.randn(CONF['ids'], 1, 16, 16, generator=torch.Generator().manual_seed(123))
    return proto[ids] + noise * torch.randn(len(ids), 1, 16, 16, generator=g)


@torch.no_grad()
def ema_update(target, source, m):
    for t, s in zip(target.state_dict().values(), source.state_dict().values()):
        if t.dtype.is_floating_point:
            t.mul_(m).add_(s, alpha=1 - m)
        else:
            t.copy_(s)


@torch.no_grad()
def rank1(net, g):
    net.eval()
    ids = torch.arange(CONF['ids'])
    gallery, query = net(grain(ids, 0.8, g)), net(grain(ids, 0.8, g))
    net.train()
    return ((query @ gallery.t()).argmax(1) == ids).float().mean().item()


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    net = GrainNet()
    teacher = copy.deepcopy(net)
    for p in teacher.parameters():
        p.requires_grad = False
    memory = CrossBatchMemory(CONF['memory_batches'])
    optimizer = torch.optim.Adam(net.parameters(), lr=CONF['lr'])
    for step in range(CONF['steps']):
        ids = torch.randint(0, CONF['ids'], (CONF['batch'],), generator=g)
        z = net(grain(ids, 0.8, g))
        with torch.no_grad():
            k = teacher(grain(ids, 0.8, g))
        memory.push(k, ids)
        keys, labels = memory.get()
        logits = z @ keys.t() / CONF['tau']
        same = (ids.view(-1, 1) == labels.view(1, -1)).float()
        loss = -(F.log_softmax(logits, 1) * same / same.sum(1, keepdim=True)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema_update(teacher, net, CONF['ema'])
        if (step + 1) % 50 == 0:
            logging.info('step %d loss %.3f rank-1 %.3f', step + 1, loss.item(), rank1(teacher, g))


if __name__ == '__main__':
    main()
