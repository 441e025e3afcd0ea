# gradwatch-corpus: kind=graph-held
# holder: self.rows | recorder.rows | self.callbacks[1].rows | callbacks[1].rows | pipeline.callbacks[1].rows
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)

import recipe
from callbacks import build_callback

CFG = {
    "seed": 21,
    "features": {"n_mels": 10, "frames": 24, "max_labels": 5},
    "encoder": {"kind": "bigru", "hidden": 16, "layers": 1, "alphabet": 9},
    "optim": {"name": "RMSprop", "lr": 2e-3},
    "run": {"steps": 240, "batch": 6},
    "callbacks": [
        {"name": "lr_warmup", "steps": 30},
        {"name": "recorder", "every": 3},
        {"name": "console", "every": 80},
    ],
}


class Pipeline:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        self.cfg = cfg
        self.source = recipe.make_source(cfg["features"], cfg["encoder"]["alphabet"])
        self.net = recipe.make_encoder(cfg["encoder"], cfg["features"]["n_mels"])
        self.ctc = torch.nn.CTCLoss(blank=0, zero_infinity=True)
        okw = dict(cfg["optim"])
        self.opt = getattr(torch.optim, okw.pop("name"))(self.net.parameters(), **okw)
        self.callbacks = [build_callback(dict(c)) for c in cfg["callbacks"]]

    def emit(self, hook, **payload):
        for cb in self.callbacks:
            getattr(cb, hook, lambda **kw: None)(pipeline=self, **payload)

    def run(self):
        for step in range(self.cfg["run"]["steps"]):
            self.emit("before_step", step=step)
            feats, labels, in_len, lab_len = self.source(self.cfg["run"]["batch"])
            logp = self.net(feats).log_softmax(-1).transpose(0, 1)
            ctc = self.ctc(logp, labels, in_len, lab_len)
            self.opt.zero_grad()
            ctc.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.opt.step()
            self.emit("after_step", step=step, ctc=ctc, blank_rate=logp[..., 0].exp().mean().item())
        self.emit("at_end")


if __name__ == "__main__":
    Pipeline(CFG).run()
