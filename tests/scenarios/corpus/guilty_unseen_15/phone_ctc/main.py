# gradwatch-corpus: kind=graph-held
# holder: stats[name] | stats | self.stats | self.stats[name] | taps.stats | taps.stats["front"] | taps.stats["mix"] | taps.stats["out"]
# first-bad: 1
"""Toy phone recogniser with CTC, for the second exercise of the speech course.
Utterances are random phone strings rendered as noisy formant tracks."""
import torch
import torch.nn.functional as F

from net import PhoneNet
from taps import Taps
from utterances import N_FEATS, N_PHONES, batch_of


def greedy(logp, lengths):
    best = logp.argmax(-1).transpose(0, 1)
    out = []
    for row, n in zip(best.tolist(), lengths.tolist()):
        prev, phones = 0, []
        for p in row[:n]:
            if p != prev and p != 0:
                phones.append(p)
            prev = p
        out.append(phones)
    return out


def train(n_iter=240, seed=3):
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    net = PhoneNet(N_FEATS, N_PHONES + 1)
    taps = Taps(net, ("front", "mix", "out"))
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min(1.0, (i + 1) / 20))

    for it in range(n_iter):
        feats, feat_len, phones, phone_len = batch_of(4, gen)
        logp = net(feats).log_softmax(-1).transpose(0, 1)
        loss = F.ctc_loss(logp, phones, feat_len, phone_len, blank=0, zero_infinity=True)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        warm.step()
        if it % 40 == 0:
            hyp = greedy(logp.detach(), feat_len)
            print(f"iter {it:3d} ctc {loss.item():.3f} hyp {hyp[0]}  rms {taps.report()}")

    taps.close()
    print("done", f"{loss.item():.3f}")


if __name__ == "__main__":
    train()
