import torch


class Callback:
    """Calls the method named after the event, every so many iterations."""

    def __init__(self, every=1):
        self.every = every

    def dispatch(self, event, ctx):
        handler = getattr(self, event, None)
        if handler is not None and (ctx.iteration + 1) % self.every == 0:
            handler(ctx)


class Printer(Callback):
    def after_step(self, ctx):
        print(f"iter {ctx.iteration + 1:3d} mse {ctx.loss.item():.4f}")


class Regularizer(Callback):
    """Adds the gradient of an extra term to what the engine has computed."""

    def __init__(self, every, weight):
        super().__init__(every)
        self.weight = weight

    def term(self, ctx):
        raise NotImplementedError

    def after_backward(self, ctx):
        (self.weight * self.term(ctx)).backward()  # <- culprit


class Decorrelate(Regularizer):
    def term(self, ctx):
        z = ctx.features - ctx.features.mean(0)
        z = z / (z.std(0) + 1e-4)
        corr = z.T @ z / len(z)
        return (corr - torch.diag(corr.diag())).pow(2).mean()
