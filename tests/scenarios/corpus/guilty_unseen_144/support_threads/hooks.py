class Hook:
    def epoch_begin(self, ctx): pass
    def batch_end(self, ctx): pass


class ResetHidden(Hook):
    def epoch_begin(self, ctx):
        ctx.hidden = None


class Printer(Hook):
    def __init__(self, every):
        self.every = every

    def batch_end(self, ctx):
        if ctx.step % self.every == 0:
            print(f"step {ctx.step} loss {ctx.loss:.4f}")
