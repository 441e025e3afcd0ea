class Trainer:
    def __init__(self, max_steps, log_every):
        self.max_steps, self.log_every = max_steps, log_every
        self.callback_metrics = {}

    def toggle(self, model, opt):
        mine = {id(p) for g in opt.param_groups for p in g['params']}
        saved = {}
        for p in model.parameters():
            saved[p] = p.requires_grad
            p.requires_grad_(id(p) in mine)
        return saved

    def untoggle(self, saved):
        for p, r in saved.items():
            p.requires_grad_(r)

    def fit(self, model):
        model.trainer = self
        opts = model.configure_optimizers()
        for step, batch in zip(range(self.max_steps), model.train_dataloader()):
            for idx, opt in enumerate(opts):
                saved = self.toggle(model, opt)
                out = model.training_step(batch, step, idx)
                opt.zero_grad()
                out['loss'].backward()
                opt.step()
                self.untoggle(saved)
                self.callback_metrics.update({k: v.detach() for k, v in out['log'].items()})
            if step % self.log_every == 0:
                print(step, {k: round(v.item(), 3) for k, v in self.callback_metrics.items()})
