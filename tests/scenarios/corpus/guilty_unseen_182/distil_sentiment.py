# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Distil a wide bag-of-embeddings teacher into a tiny student for review polarity."""
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, LEN = 400, 30


def reviews(n, gen):
    polarity = torch.randn(VOCAB, generator=gen)
    tok = torch.randint(0, VOCAB, (n, LEN), generator=gen)
    score = polarity[tok].mean(1)
    return tok, (score > 0).long()


class Teacher(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 2)
        self.fc = nn.Linear(dim, 2)

    def forward(self, tok):
        return self.fc(self.enc(self.emb(tok)).mean(1))


class Student(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.bag = nn.EmbeddingBag(VOCAB, dim)
        self.fc = nn.Linear(dim, 2)

    def forward(self, tok):
        return self.fc(torch.tanh(self.bag(tok)))


def kd_loss(student_logits, teacher_probs, labels, temp=2.0, alpha=0.7):
    soft = F.kl_div(F.log_softmax(student_logits / temp, -1), teacher_probs,
                    reduction="batchmean") * temp ** 2
    return alpha * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


class Distiller:
    def __init__(self, teacher, student, temp=2.0):
        self.teacher, self.student, self.temp = teacher, student, temp
        self.opt = torch.optim.Adam(student.parameters(), lr=1e-2)

    def step(self, tok, lab):
        t_logits = self.teacher(tok)  # <- culprit
        soft = F.softmax(t_logits / self.temp, -1).detach()
        s_logits = self.student(tok)
        loss = kd_loss(s_logits, soft, lab, self.temp)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        agree = (s_logits.argmax(1) == soft.argmax(1)).float().mean()
        return loss.item(), agree.item()


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    tok, lab = reviews(1000, gen)
    teacher, student = Teacher(), Student()
    teacher.eval()
    d = Distiller(teacher, student)
    for it in range(450):
        pick = torch.randint(0, 1000, (16,), generator=gen)
        loss, agree = d.step(tok[pick], lab[pick])
        if it % 75 == 0:
            print(f"it {it} loss {loss:.4f} agreement {agree:.2f}")


if __name__ == "__main__":
    main()
