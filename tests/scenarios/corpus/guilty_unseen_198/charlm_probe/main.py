# gradwatch-corpus: kind=graph-held
# holder: self.records | self.records[name] | probe.records
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from lm import CharLM, sample_text, VOCAB
from probes import ActivationProbe


def get_args():
    ap = argparse.ArgumentParser("char lm, activation statistics")
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--ctx", type=int, default=24)
    ap.add_argument("--bs", type=int, default=8)
    ap.add_argument("--report_every", type=int, default=80)
    return ap.parse_args()


args = get_args()
torch.manual_seed(1234)
corpus = sample_text(20000)
model = CharLM(VOCAB, ctx=args.ctx)
probe = ActivationProbe(model, kinds=("Block",))
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))


def get_batch():
    ix = torch.randint(len(corpus) - args.ctx - 1, (args.bs,))
    x = torch.stack([corpus[i:i + args.ctx] for i in ix])
    y = torch.stack([corpus[i + 1:i + args.ctx + 1] for i in ix])
    return x, y


for step in range(args.steps):
    x, y = get_batch()
    logits = model(x)
    loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if (step + 1) % args.report_every == 0:
        print(f"step {step + 1} loss {loss.item():.3f}")
        for name, s in probe.summary().items():
            print("   ", name, s)
probe.close()
