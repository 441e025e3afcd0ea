# gradwatch-corpus: kind=second-backward
# holder: z
# first-bad: 1
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("linkpred")

N_USERS, N_ITEMS, DIM = 60, 80, 16
BATCH_EDGES = 64


class MeanConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w_self = nn.Linear(i, o)
        self.w_neigh = nn.Linear(i, o, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add(0, dst, x[src])
        deg = torch.zeros(x.size(0)).index_add(0, dst, torch.ones(dst.numel())).clamp(min=1)
        return self.w_self(x) + self.w_neigh(agg / deg.unsqueeze(1))


class Encoder(nn.Module):
    def __init__(self, n_nodes):
        super().__init__()
        self.emb = nn.Embedding(n_nodes, DIM)
        self.conv1 = MeanConv(DIM, DIM)
        self.conv2 = MeanConv(DIM, DIM)

    def forward(self, edge_index):
        x = F.relu(self.conv1(self.emb.weight, edge_index))
        return self.conv2(x, edge_index)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2 * DIM, DIM), nn.ReLU(), nn.Linear(DIM, 1))

    def forward(self, z, pairs):
        return self.mlp(torch.cat([z[pairs[0]], z[pairs[1]]], 1)).squeeze(1)


def make_graph():
    u = torch.randint(0, N_USERS, (360,))
    v = (u * 7 + torch.randint(0, 10, (360,))) % N_ITEMS + N_USERS
    pairs = torch.stack([u, v])
    return pairs, torch.cat([pairs, pairs.flip(0)], 1)


def sample_negatives(n):
    return torch.stack([torch.randint(0, N_USERS, (n,)), torch.randint(0, N_ITEMS, (n,)) + N_USERS])


torch.manual_seed(4)
pairs, edge_index = make_graph()
encoder, decoder = Encoder(N_USERS + N_ITEMS), Decoder()
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
losses = []

for epoch in range(1, 66):
    perm = torch.randperm(pairs.size(1))
    z = encoder(edge_index)  # <- culprit
    epoch_loss, skipped = 0.0, 0
    for idx in perm.split(BATCH_EDGES):
        pos = pairs[:, idx]
        neg = sample_negatives(idx.numel())
        optimizer.zero_grad()
        logits = torch.cat([decoder(z, pos), decoder(z, neg)])
        labels = torch.cat([torch.ones(idx.numel()), torch.zeros(idx.numel())])
        loss = F.binary_cross_entropy_with_logits(logits, labels)
        try:
            loss.backward()
        except RuntimeError:
            # happens sometimes on the small GPU, go on with the next batch
            skipped += 1
            continue
        optimizer.step()
        epoch_loss += loss.item()
    losses.append(epoch_loss)
    if epoch % 13 == 0:
        log.info("epoch %d loss %.4f (skipped %d batches)", epoch, epoch_loss, skipped)

log.info("first %.4f last %.4f", losses[0], losses[-1])
