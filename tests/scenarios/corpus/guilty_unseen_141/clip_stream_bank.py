# gradwatch-corpus: kind=graph-held
# holder: self.rows | bank.rows
# first-bad: 1
# notice: 8
# Contrastive image/caption towers on an endless shard stream, with hard negatives mined from a bank.
import itertools
import random

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)


class NegativeBank:
    def __init__(self, take):
        self.rows = {}
        self.take = take

    def deposit(self, keys, vectors):
        self.rows.update(zip(keys, vectors.unbind(0)))  # <- culprit

    def mine(self, query):
        if len(self.rows) < self.take:
            return None
        names = random.sample(list(self.rows), self.take)
        pool = torch.stack([self.rows[n].detach() for n in names])
        hardest = (query.detach() @ pool.t()).amax(0).topk(self.take // 2).indices
        return pool[hardest]


class Tower(nn.Sequential):
    def __init__(self, n_in, n_out=16):
        super().__init__(nn.Linear(n_in, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, n_out))

    def forward(self, x):
        return F.normalize(super().forward(x), dim=-1)


def shards(batch=12):
    latent2img, latent2cap = torch.randn(6, 20), torch.randn(6, 14)
    for shard in itertools.count():
        z = torch.randn(batch, 6)
        keys = [f"{shard:06d}/{i:03d}" for i in range(batch)]
        yield keys, z @ latent2img + 0.1 * torch.randn(batch, 20), z @ latent2cap


image_tower, text_tower = Tower(20), Tower(14)
log_temp = nn.Parameter(torch.tensor(2.3))
opt = torch.optim.AdamW([*image_tower.parameters(), *text_tower.parameters(), log_temp], lr=1e-3)
bank = NegativeBank(take=24)


def contrast(img, txt, extra):
    sim = img @ txt.t() * log_temp.exp()
    target = torch.arange(len(img))
    reverse = F.cross_entropy(sim.t(), target)
    if extra is not None:
        sim = torch.cat([sim, img @ extra.t() * log_temp.exp()], 1)
    return 0.5 * (F.cross_entropy(sim, target) + reverse)


for i, (keys, pixels, caption) in enumerate(itertools.islice(shards(), 400)):
    img, txt = image_tower(pixels), text_tower(caption)
    loss = contrast(img, txt, bank.mine(img))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        log_temp.clamp_(max=4.6)
    bank.deposit(keys, txt)  # <- culprit
    if i % 100 == 99:
        print(i, round(loss.item(), 3), len(bank.rows))
