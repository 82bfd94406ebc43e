"""manifests.py BINARY - see run."""
import glob
import os
import re
import stat
import subprocess
import sys
import tempfile

import kubernetes_validate
import pydantic
import yaml
from cloudcoil.models.keda import v1alpha1 as keda

FOLDER = "deploy/kubernetes"
# The oldest version that has all that the manifests use and still gets repairs, and the newest that the validator knows.
VERSIONS = ("1.33", kubernetes_validate.latest_version())


def documents():
    for path in sorted(glob.glob(FOLDER + "/*.yaml")):
        with open(path) as f:
            for document in yaml.safe_load_all(f):
                yield path, document


def of(kind):
    return {d["metadata"]["name"]: d for _, d in documents() if d["kind"] == kind}


def containers():
    for name, deployment in of("Deployment").items():
        pod = deployment["spec"]["template"]["spec"]
        for container in pod["containers"]:
            yield name, pod, container


def refused(document):
    try:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
    except kubernetes_validate.ValidationError as e:
        return e.message
    return None


def test_kubernetes_takes_its_manifests(binary):
    own = [(path, d) for path, d in documents() if not d["apiVersion"].startswith("keda.sh/")]
    assert {d["kind"] for _, d in own} == {"Service", "Deployment", "PodDisruptionBudget", "NetworkPolicy", "PersistentVolumeClaim"}
    for path, document in own:
        assert refused(document) is None, (path, refused(document))


def test_the_validator_refuses_what_is_wrong(binary):
    deployment = of("Deployment")["linalgd-cpu"]
    deployment["spec"]["replica"] = 1
    assert "replica" in refused(deployment)


def refused_by_keda(document):
    """By models that were generated from the CRDs of KEDA."""
    try:
        getattr(keda, document["kind"]).model_validate(document, extra="forbid")
    except pydantic.ValidationError as e:
        return str(e)
    return None


def test_keda_takes_its_manifests(binary):
    own = [d for _, d in documents() if d["apiVersion"] == "keda.sh/v1alpha1"]
    assert {d["kind"] for d in own} == {"TriggerAuthentication", "ScaledObject"}
    for document in own:
        assert refused_by_keda(document) is None, refused_by_keda(document)


def test_the_models_of_keda_refuse_what_is_wrong(binary):
    for name, value in ("maxReplicaCount", "many"), ("maxReplicas", 8), ("scaleTargetRef", {}):
        scaled = of("ScaledObject")["linalgd-h200"]
        scaled["spec"][name] = value
        assert name in refused_by_keda(scaled), name


def test_all_select_the_pods(binary):
    for name, deployment in of("Deployment").items():
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        selectors = [deployment["spec"]["selector"]["matchLabels"], of("Service")["linalgd"]["spec"]["selector"],
                     of("PodDisruptionBudget")["linalgd"]["spec"]["selector"]["matchLabels"],
                     of("NetworkPolicy")["linalgd"]["spec"]["podSelector"]["matchLabels"]]
        for selector in selectors:
            assert selector.items() <= labels.items(), (name, selector)


def test_the_scaled_object_fits_a_deployment_and_the_secret(binary):
    for scaled in of("ScaledObject").values():
        assert scaled["spec"]["scaleTargetRef"]["name"] in of("Deployment")
        for trigger in scaled["spec"]["triggers"]:
            assert trigger["authenticationRef"]["name"] in of("TriggerAuthentication")


def test_the_secret_has_the_keys_that_are_asked_for(binary):
    with open(FOLDER + "/README.md") as f:
        made = set(re.findall(r"--from-(?:literal|file)=(\w+)=", f.read()))
    asked = {e["valueFrom"]["secretKeyRef"]["key"] for _, _, c in containers() for e in c["env"]
             if "secretKeyRef" in e.get("valueFrom", {})}
    asked |= {i["key"] for _, pod, _ in containers() for v in pod["volumes"] if "secret" in v for i in v["secret"]["items"]}
    asked |= {r["key"] for t in of("TriggerAuthentication").values() for r in t["spec"]["secretTargetRef"]}
    assert asked == made, (asked, made)


def test_the_daemon_knows_every_variable(binary):
    known = set(re.findall(r"LINALGD_\w+", subprocess.run([binary, "serve", "--help"], capture_output=True, text=True).stdout))
    for name, _, container in containers():
        given = {e["name"] for e in container["env"]}
        assert given <= known, (name, given - known)


def test_pods_are_confined_and_have_time_to_end(binary):
    with open("Dockerfile") as f:
        text = f.read()
    user, delay = int(re.search(r"--uid (\d+)", text)[1]), int(re.search(r"LINALGD_DRAIN_DELAY=(\d+)", text)[1])
    drain = float(re.search(r"drain-seconds = ([\d.]+)", subprocess.run([binary, "config"], capture_output=True, text=True).stdout)[1])
    for name, pod, container in containers():
        assert pod["securityContext"]["runAsUser"] == user and pod["automountServiceAccountToken"] is False, name
        confined = container["securityContext"]
        assert confined["readOnlyRootFilesystem"] and confined["capabilities"] == {"drop": ["ALL"]}, name
        assert pod["terminationGracePeriodSeconds"] > delay + drain, name
        paths = {m["mountPath"] for m in container["volumeMounts"]}
        assert {"/tmp", *re.findall(r"LINALGD_(?:CACHE|STATE)=(\S+)", text)} <= paths, name


def test_the_batch_script_starts_a_host_on_each_node(binary):
    """Slurm's srun is replaced by a script that has the daemon read its options and print those in force."""
    with tempfile.TemporaryDirectory() as folder:
        srun = os.path.join(folder, "srun")
        with open(srun, "w") as f:
            f.write('#!/bin/sh\nshift\nprogram=$1\nshift 2\nexec "$program" config "$@"\n')
        os.chmod(srun, stat.S_IRWXU)
        told = {**os.environ, "PATH": folder + ":" + os.environ["PATH"], "LINALGD": binary, "SLURM_JOB_ID": "7",
                "LINALGD_QUEUE": "postgres://db/linalgd"}
        done = subprocess.run(["bash", "deploy/slurm/linalgd.sbatch", "--lease", "20"], capture_output=True, text=True, env=told)
        assert done.returncode == 0, done.stderr
        for setting in (r"listen = unix:\S+-7\.socket", r"device = gpu", r"drain-seconds = 50", r"lease = 20", "queue = "):
            assert re.search(f"^{setting}", done.stdout, re.M), (setting, done.stdout)
        del told["LINALGD_QUEUE"]
        done = subprocess.run(["bash", "deploy/slurm/linalgd.sbatch"], capture_output=True, text=True, env=told)
        assert done.returncode != 0 and "LINALGD_QUEUE" in done.stderr


def test_the_batch_script_starts_one_daemon_with_linalgd_mpi(binary):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "linalgd")
        with open(program, "w") as f:
            f.write(f'#!/bin/sh\nshift\nexec {binary} config "$@"\n')
        os.chmod(program, stat.S_IRWXU)
        told = {**os.environ, "LINALGD": program, "SLURM_JOB_ID": "7"}
        for own, command in ((None, "mpirun linalgd-mpi"), ("srun --mpi=pmix linalgd-mpi", "srun --mpi=pmix linalgd-mpi")):
            env = {**told, "MPIRUN": own} if own else told
            done = subprocess.run(["bash", "deploy/slurm/linalgd-mpi.sbatch", "--queue-limit", "9"], capture_output=True, text=True, env=env)
            assert done.returncode == 0, done.stderr
            for setting in (r"listen = unix:\S+-7\.socket", "device = cpu", "drain-seconds = 50", "queue-limit = 9", f"mpi = {command}"):
                assert re.search(f"^{setting}  ;", done.stdout, re.M), (setting, done.stdout)


def main():
    binary, passed, failed = os.path.abspath(sys.argv[1]), 0, 0
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_")]:
        try:
            test(binary)
            passed += 1
        except (AssertionError, KeyError, OSError) as e:
            failed += 1
            print(f"FAILED {name[5:]}: {e!r}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
