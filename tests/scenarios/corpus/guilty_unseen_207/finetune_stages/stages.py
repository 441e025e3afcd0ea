class StageSchedule:
    """Makes only the named children trainable from a given step on."""

    def __init__(self, model, stages):
        self.model = model
        self.stages = dict(stages)

    @property
    def trainable(self):
        return sum(p.numel() for p in self.model.parameters() if p.requires_grad)

    def on_step_begin(self, step):
        names = self.stages.get(step)
        if names is None:
            return
        for name, child in self.model.named_children():
            child.requires_grad_(name in names)  # <- culprit
        print(f"stage at {step}: {', '.join(names)}")
