# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from learner import MeanTeacher
from callbacks import History, Printer

torch.manual_seed(20)


def labelled(n=6):
    tok = torch.randint(1, 6, (n, 4))
    feats = torch.nn.functional.one_hot(tok.repeat_interleave(4, 1), 8).float() @ MIX
    return feats + 0.3 * torch.randn_like(feats), tok


MIX = torch.randn(8, 10)
learner = MeanTeacher(feat=10, vocab=6)
opt = torch.optim.Adam(learner.student.parameters(), 3e-3)
callbacks = [History(window=25), Printer(every=100)]
for step in range(420):
    x, y = labelled()
    u, _ = labelled()
    out = learner.losses(x, y, u, ramp=min(1.0, step / 150))
    opt.zero_grad()
    out["loss"].backward()
    opt.step()
    learner.follow()
    for cb in callbacks:
        cb.on_step(step, out)
