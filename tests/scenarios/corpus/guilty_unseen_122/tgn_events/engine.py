import torch
import torch.nn.functional as F

from .memory import TGN
from .stream import event_stream


def run(cfg):
    torch.manual_seed(cfg.seed)
    model = TGN(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    seen, losses = 0, []
    for src, dst, neg, feats, dt in event_stream(cfg):
        model.memory.ingest(src, dst, feats, dt)
        h = model.memory.read
        pos_s = model.score(h(src), h(dst))
        neg_s = model.score(h(src), h(neg))
        scores = torch.cat([pos_s, neg_s])
        labels = torch.cat([torch.ones_like(pos_s), torch.zeros_like(neg_s)])
        loss = F.binary_cross_entropy_with_logits(scores, labels)
        opt.zero_grad()
        loss.backward(retain_graph=cfg.bptt)
        opt.step()
        seen += len(src)
        losses.append(loss.item())
        if seen % 270 == 0:
            print(f"{seen} events, loss {sum(losses[-30:]) / len(losses[-30:]):.3f}")
