# gradwatch-corpus: kind=graph-held
# holder: self.skipped | trainer.skipped | err.__traceback__
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
from torch import nn

from guards import check_finite, BatchRejected


class Acoustic(nn.Module):
    def __init__(self, feat=12, hid=20, vocab=8):
        super().__init__()
        self.sub = nn.Conv1d(feat, hid, 3, stride=2, padding=1)
        self.rnn = nn.GRU(hid, hid, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hid, vocab)

    def forward(self, x):
        h = torch.relu(self.sub(x.transpose(1, 2))).transpose(1, 2)
        return self.out(self.rnn(h)[0]).log_softmax(-1)


class SpeechTrainer:
    def __init__(self, model):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), 1e-3)
        self.skipped = []

    def batches(self, n):
        g = torch.Generator().manual_seed(77)
        for _ in range(n):
            frames = torch.randn(4, 24, 12, generator=g)
            text = torch.randint(1, 8, (4, 4), generator=g)
            tl = torch.full((4,), 4)
            # some microphones clip badly
            if torch.rand((), generator=g) < 0.6:
                frames = frames * 30
            yield frames, text, tl

    def one_batch(self, frames, text, tl):
        logp = self.model(frames)
        il = torch.full((logp.shape[0],), logp.shape[1])
        loss = nn.functional.ctc_loss(logp.transpose(0, 1), text, il, tl)
        self.optim.zero_grad()
        loss.backward()
        check_finite(self.model, limit=1.5)
        self.optim.step()
        return loss.item()

    def damped_step(self, shrink=0.05):
        for p in self.model.parameters():
            p.grad.mul_(shrink)
        self.optim.step()

    def run(self):
        done = 0
        for number, batch in enumerate(self.batches(600)):
            try:
                last = self.one_batch(*batch)
                done += 1
            except BatchRejected as err:
                self.damped_step()
                self.skipped.append((number, err))  # <- culprit
            if number % 150 == 149:
                print(number, "done", done, "skipped", len(self.skipped), "loss", round(last, 3))
        print("first rejections:", [str(e) for _, e in self.skipped[:3]])


torch.manual_seed(6)
SpeechTrainer(Acoustic()).run()
