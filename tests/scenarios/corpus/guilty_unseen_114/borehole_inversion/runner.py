import torch

from physics import Conduction, MisfitTooLarge, checked_residual


class Journal:
    """What happened to each log."""

    def __init__(self):
        self.accepted = 0
        self.rejected = []

    def reject(self, err):
        self.rejected.append(err)  # <- culprit

    def worst(self, n=3):
        return sorted((e.residual.abs().max().item() for e in self.rejected), reverse=True)[:n]


class Runner:
    def __init__(self, survey, lr):
        self.survey = survey
        self.model = Conduction(survey.n_layers, survey.depth_points)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.journal = Journal()

    def one_log(self, flux, temp, limit):
        try:
            residual = checked_residual(self.model, flux, temp, limit)
        except MisfitTooLarge as err:
            self.journal.reject(err)
            return None
        loss = residual.abs().mean() + 0.01 * self.model.log_k.diff().pow(2).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.journal.accepted += 1
        return loss.item()

    def run(self, passes, logs_per_pass):
        for n in range(passes):
            limit = 4.0 if n < 2 else 1.5
            values = [self.one_log(f, t, limit) for f, t in self.survey.logs(logs_per_pass)]
            kept = [v for v in values if v is not None]
            if n % 6 == 0:
                mean = sum(kept) / max(1, len(kept))
                print(f"pass {n:2d}: {len(kept)}/{len(values)} logs used, mean misfit {mean:.3f}")

    def summary(self):
        k = self.model.log_k.detach().exp()
        err = (k - self.survey.conductivity).abs().mean().item()
        worst = ", ".join(f"{w:.2f}" for w in self.journal.worst())
        print(f"accepted {self.journal.accepted}, rejected {len(self.journal.rejected)} (worst residuals {worst})")
        print(f"mean conductivity error {err:.3f}")
