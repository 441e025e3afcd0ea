import torch
import torch.nn.functional as F


def kl_standard(mu, log_sd):
    return 0.5 * (mu ** 2 + torch.exp(2 * log_sd) - 1.0 - 2 * log_sd).sum(dim=1).mean()


class AlternatingFit:
    def __init__(self, encoder, generator, consistency_every):
        self.encoder = encoder
        self.generator = generator
        self.every = consistency_every
        self.opt_enc = torch.optim.Adam(encoder.parameters(), lr=2e-3)
        self.opt_gen = torch.optim.Adam(generator.parameters(), lr=2e-3)
        self.history = {"elbo": [], "consistency": []}

    def elbo_terms(self, counts):
        mu, log_sd = self.encoder(counts)
        z = mu + log_sd.exp() * torch.randn_like(mu)
        log_rate = self.generator(z)
        nll = F.poisson_nll_loss(log_rate, counts, log_input=True)
        return nll + 0.01 * kl_standard(mu, log_sd)

    def consistency(self, n, reference):
        z = torch.randn(n, reference)
        log_rate = self.generator(z)
        mean_counts = torch.exp(log_rate.clamp(max=3.0))
        mu, _ = self.encoder(mean_counts)
        return ((mu - z) ** 2).mean()

    def step(self, k, counts):
        loss = self.elbo_terms(counts)
        cycle = None
        if k > 0 and k % self.every == 0:
            cycle = self.consistency(len(counts), 3)  # <- culprit
        self.opt_enc.zero_grad()
        self.opt_gen.zero_grad()
        loss.backward()
        self.opt_gen.step()  # <- culprit
        self.opt_enc.step()  # <- culprit
        self.history["elbo"].append(-loss.item())
        if cycle is not None:
            self.opt_enc.zero_grad()
            cycle.backward()  # <- culprit
            self.opt_enc.step()
            self.history["consistency"].append(cycle.item())
