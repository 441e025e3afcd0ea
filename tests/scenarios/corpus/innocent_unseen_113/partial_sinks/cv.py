import torch


class CrossVal:
    def __init__(self, x, y, folds, sinks):
        self.x, self.y = x, y
        self.fold_of = torch.arange(len(x)) % folds
        self.folds = folds
        self.sinks = sinks

    def terms(self, model, idx):
        err = (model(self.x[idx]) - self.y[idx]).square().mean(0)
        return {"moisture": err[0], "protein": err[1]}

    def train(self, model, pool, iters, gather_every):
        opt = torch.optim.Adam(model.parameters(), lr=2e-2)
        for it in range(iters):
            idx = pool[torch.randint(len(pool), (40,))]
            terms = self.terms(model, idx)
            opt.zero_grad()
            sum(terms.values()).backward()
            opt.step()
            if it % gather_every == 1:
                for name, t in terms.items():
                    self.sinks[name](t)

    def run(self, factory, iters, gather_every):
        for fold in range(self.folds):
            self.sinks.renew()
            model = factory()
            self.train(model, (self.fold_of != fold).nonzero().squeeze(1), iters, gather_every)
            self.sinks.drain(fold)
