import torch
import torch.nn.functional as F


class Distiller:
    def __init__(self, teacher, student, params, shadow, lr, probe_every):
        self.teacher, self.student = teacher, student
        self.shadow = shadow
        self.opt = torch.optim.AdamW(params, lr=lr)
        self.probe_every = probe_every
        self.probe = torch.randint(0, 40, (64, 12))

    def kd(self, logits, tok, temp=2.0):
        with torch.no_grad():
            ref = F.log_softmax(self.teacher(tok) / temp, -1)
        return F.kl_div(F.log_softmax(logits / temp, -1), ref, log_target=True, reduction="batchmean") * temp ** 2

    @torch.no_grad()
    def agreement(self):
        with self.shadow.applied():  # <- culprit
            return (self.student(self.probe).argmax(-1) == self.teacher(self.probe).argmax(-1)).float().mean().item()

    def report(self, step, loss):
        if step and step % self.probe_every == 0:
            print(f"step {step} kd {loss.item():.4f} ema-agreement {self.agreement():.3f}")

    def run(self, steps):
        for step in range(steps):
            tok = torch.randint(0, 40, (32, 12))
            loss = self.kd(self.student(tok), tok)
            self.report(step, loss)  # <- culprit
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.shadow.update()
