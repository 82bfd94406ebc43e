// main.js - starts the page at /: its header and its views.

import {showCompare} from "../views/compare.js";
import {showDevices} from "../views/devices.js";
import {showJob} from "../views/job.js";
import {showJobs} from "../views/jobs.js";
import {showPipelines} from "../views/pipelines.js";
import {showRun} from "../views/run.js";
import {startHeader} from "./header.js";
import {startRouter} from "./router.js";
import {brief} from "./text.js";

const VIEWS = {
    devices: {title: "Devices", show: showDevices},
    jobs: {title: ([id]) => (id ? `Job ${brief(id)}` : "Jobs"), show: (main, rest, query, signal) => (rest[0]
        ? showJob(main, rest[0], signal) : showJobs(main, rest, query, signal))},
    run: {title: "Run an operation", show: showRun},
    compare: {title: "Compare variants", show: showCompare},
    pipelines: {title: "Pipelines", show: showPipelines},
};

startHeader();
startRouter(document.getElementById("main"), VIEWS);
