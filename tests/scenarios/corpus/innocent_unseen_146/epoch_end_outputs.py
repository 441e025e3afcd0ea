# gradwatch-corpus: kind=none
# spam classifier, my own Trainer with the hooks named like in lightning
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SpamModule(nn.Module):
    def __init__(self, n_words=40):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, 10, mode='mean')
        self.mlp = nn.Sequential(nn.Linear(10, 10), nn.SiLU(), nn.Linear(10, 1))
        self.training_step_outputs = []

    def forward(self, mails):
        return self.mlp(self.bag(mails)).squeeze(1)

    def training_step(self, batch):
        mails, is_spam = batch
        logit = self(mails)
        loss = F.binary_cross_entropy_with_logits(logit, is_spam)
        self.training_step_outputs.append({'loss': loss, 'logit': logit, 'y': is_spam})
        return loss

    def on_train_epoch_end(self, epoch):
        loss = torch.stack([o['loss'] for o in self.training_step_outputs]).mean()
        hit = torch.cat([(o['logit'] > 0).float() == o['y'] for o in self.training_step_outputs]).float().mean()
        if epoch % 10 == 0:
            print(f'epoch {epoch}: loss {loss.item():.4f} acc {hit.item():.3f}')
        self.training_step_outputs.clear()


class Trainer:
    def __init__(self, epochs, opt):
        self.epochs, self.opt = epochs, opt

    def fit(self, m, mails, is_spam, bs=16):
        for e in range(self.epochs):
            m.train()
            for i in torch.randperm(len(mails)).split(bs):
                l = m.training_step((mails[i], is_spam[i]))
                self.opt.zero_grad()
                l.backward()
                self.opt.step()
            m.on_train_epoch_end(e)


def inbox(n=160):
    y = (torch.rand(n) < .4).float()
    lo = torch.randint(0, 30, (n, 8))
    hi = torch.randint(20, 40, (n, 8))
    return torch.where(y[:, None] > 0, hi, lo), y


def main():
    torch.manual_seed(14)
    m = SpamModule()
    Trainer(50, torch.optim.Adam(m.parameters(), lr=3e-3)).fit(m, *inbox())


main()
