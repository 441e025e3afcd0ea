# gradwatch-corpus: kind=second-backward
# holder: self.regret | teacher.regret | regret
# first-bad: 41
# notice: 0
"""Teacher-student curriculum on sequence reversal; from the second stage on the teacher adds regret."""
import torch
from torch import nn

torch.set_num_threads(1)


class Teacher:
    def __init__(self, lengths=(3, 4, 5), per_stage=40):
        self.lengths, self.per_stage = lengths, per_stage
        self.regret = torch.zeros(())

    def stage(self, step):
        return min(step // self.per_stage, len(self.lengths) - 1)

    def lesson(self, step, g):
        L = self.lengths[self.stage(step)]
        seq = torch.randint(0, 6, (10, L), generator=g)
        return seq, seq.flip(1)

    def objective(self, step, loss):
        if self.stage(step) == 0:
            return loss
        self.regret = 0.5 * self.regret + (loss - 0.5).clamp(min=0)  # <- culprit
        return loss + 0.2 * self.regret


class Student(nn.Module):
    def __init__(self, vocab=6, d=16, max_len=5):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(0.1 * torch.randn(max_len, d))
        self.mix = nn.TransformerEncoderLayer(d, 2, 24, batch_first=True, dropout=0.0)
        self.out = nn.Linear(d, vocab)

    def forward(self, s):
        return self.out(self.mix(self.tok(s) + self.pos[: s.shape[1]]))


torch.manual_seed(50)
g = torch.Generator().manual_seed(51)
teacher, student = Teacher(), Student()
opt = torch.optim.AdamW(student.parameters(), lr=2e-3)
for step in range(200):
    src, tgt = teacher.lesson(step, g)
    ce = nn.functional.cross_entropy(student(src).transpose(1, 2), tgt)
    objective = teacher.objective(step, ce)
    opt.zero_grad()
    objective.backward()
    opt.step()
    if step % 20 == 0:
        print(step, round(ce.item(), 3))
