class Leaderboard:
    """The best few jobs, with their whole traces, for the closing table."""

    def __init__(self, keep):
        self.keep = keep
        self.jobs = []

    def submit(self, job):
        self.jobs.append(job)
        self.jobs.sort(key=lambda j: j.trace[-1].item())
        del self.jobs[self.keep:]

    def table(self):
        rows = []
        for job in self.jobs:
            first, last = job.trace[0].item(), job.trace[-1].item()
            rows.append(f"  job {job.number:2d}: {first:.3f} -> {last:.3f} in {job.length}")
        return "best jobs\n" + "\n".join(rows)
